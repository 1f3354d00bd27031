// Texts with a little markup, taken apart for drawing: **strong**, *stressed*, `code`, and ids of rules.
export interface Span {
  kind: 'plain' | 'strong' | 'stress' | 'code' | 'rule';
  text: string;
}

const MARKS = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\b((?:AZ|MC|SC)-\d+)\b/g;

export function spans(text: string): Span[] {
  const found: Span[] = [];
  let from = 0;
  for (const match of text.matchAll(MARKS)) {
    if (match.index > from) found.push({ kind: 'plain', text: text.slice(from, match.index) });
    const [whole, strong, stress, code, rule] = match;
    if (strong) found.push({ kind: 'strong', text: strong });
    else if (stress) found.push({ kind: 'stress', text: stress });
    else if (code) found.push({ kind: 'code', text: code });
    else if (rule) found.push({ kind: 'rule', text: rule });
    from = match.index + whole.length;
  }
  if (from < text.length) found.push({ kind: 'plain', text: text.slice(from) });
  return found;
}

// The same for ears.
export function plain(text: string): string {
  return spans(text)
    .map((span) => span.text)
    .join('');
}

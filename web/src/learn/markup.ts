// One text for two editions of a game. Terms that differ in the second one are in square brackets: a word from its list
// of forms, [tile], or both wordings if a single word is not enough, [on the wall|in the box].

export type Forms = Record<string, string>;

const large = (word: string): string => word.charAt(0).toLocaleUpperCase() + word.slice(1);
const small = (word: string): string => word.charAt(0).toLocaleLowerCase() + word.slice(1);

// The term of the second edition; undefined if the list does not have it.
export function otherForm(word: string, forms: Forms): string | undefined {
  if (word in forms) return forms[word];
  const form = forms[small(word)];
  return form === undefined ? undefined : large(form);
}

// The text of the second edition with its forms, or of the first one without any.
export function forEdition(text: string, forms: Forms | null): string {
  return text.replace(/\[([^\]]+)\]/g, (_, inside: string) => {
    const [first = '', second] = inside.split('|');
    return forms ? (second ?? otherForm(first, forms) ?? first) : first;
  });
}

// The words in brackets that are not in the list; a test checks that there are none.
export function unknownForms(text: string, forms: Forms): string[] {
  const words = [...text.matchAll(/\[([^\]|]+)\]/g)].map((match) => match[1]!);
  return words.filter((word) => otherForm(word, forms) === undefined);
}

// Parses inline markup: **strong**, *emphasis*, `code`, and ids of rules.
export interface Span {
  kind: 'plain' | 'strong' | 'stress' | 'code' | 'rule';
  text: string;
}

const MARKS = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\b([A-Z]{2}-\d+)\b/g;

export function parseSpans(text: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const match of text.matchAll(MARKS)) {
    if (match.index > from) spans.push({ kind: 'plain', text: text.slice(from, match.index) });
    const [whole, strong, stress, code, rule] = match;
    if (strong) spans.push({ kind: 'strong', text: strong });
    else if (stress) spans.push({ kind: 'stress', text: stress });
    else if (code) spans.push({ kind: 'code', text: code });
    else if (rule) spans.push({ kind: 'rule', text: rule });
    from = match.index + whole.length;
  }
  if (from < text.length) spans.push({ kind: 'plain', text: text.slice(from) });
  return spans;
}

// The same as plain text, for screen readers.
export function plainText(text: string): string {
  return parseSpans(text)
    .map((span) => span.text)
    .join('');
}

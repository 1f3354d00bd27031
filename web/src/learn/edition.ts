// One text for both editions of Azul. What the Chocolatier calls otherwise stands in square brackets: a word that is
// in the list of forms, [tile], or both wordings where grammar wants more than a word, [on the wall|in the box].
export type Forms = Record<string, string>;

const large = (word: string): string => word.charAt(0).toLocaleUpperCase() + word.slice(1);
const small = (word: string): string => word.charAt(0).toLocaleLowerCase() + word.slice(1);

// The word of the Chocolatier; undefined where the list does not have it.
export function other(word: string, forms: Forms): string | undefined {
  if (word in forms) return forms[word];
  const found = forms[small(word)];
  return found === undefined ? undefined : large(found);
}

export function edition(text: string, game: string, forms: Forms): string {
  return text.replace(/\[([^\]]+)\]/g, (_, inside: string) => {
    const [first = '', second] = inside.split('|');
    return game === 'chocolatier' ? (second ?? other(first, forms) ?? first) : first;
  });
}

// The words in brackets that have no other form: a test wants none.
export function unknown(text: string, forms: Forms): string[] {
  const words = [...text.matchAll(/\[([^\]|]+)\]/g)].map((match) => match[1]!);
  return words.filter((word) => other(word, forms) === undefined);
}

// One text, or its plural forms by CLDR category (one, few, many, other).
export type Message = string | Record<string, string>;

// The texts of one language by their keys.
export type Translations = Record<string, Message>;

import { isBindingName } from "../../shared/names/identifier.js";

/**
 * Converts a server's name to camel case. Characters other than ASCII letters and digits separate words, and so does a
 * digit before a letter. Accents are removed. A name without letters and digits becomes `fallback`.
 */
export function camelCase(name: string, fallback: string): string {
  const [first = "", ...rest] = wordsOf(name);
  const joined = [first.charAt(0).toLowerCase() + first.slice(1), ...rest.map(capitalised)].join("");
  if (joined === "") return fallback;
  return /^\d/.test(joined) ? `${fallback}${capitalised(joined)}` : joined;
}

/** Like `camelCase`, but for the name of a type. */
export function pascalCase(name: string, fallback: string): string {
  return capitalised(camelCase(name, fallback));
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function wordsOf(name: string): readonly string[] {
  return (
    name
      .slice(0, 200)
      .normalize("NFKD")
      .replace(/\p{Mark}/gu, "")
      .match(/[A-Za-z]+\d*|\d+/g) ?? []
  );
}

/** The names of one module. Each name is used once. */
export interface ModuleNames {
  /**
   * Reserves the names derived from a stem, with the first numeric suffix for which all of them are free.
   */
  readonly take: <Needed extends Readonly<Record<string, string>>>(
    stem: string,
    needed: (stem: string) => Needed,
  ) => Needed;
  readonly all: () => readonly string[];
}

export function createNames(taken: readonly string[]): ModuleNames {
  const used = new Set(taken);
  return {
    take(stem, needed) {
      for (let number = 1; ; number++) {
        const names = needed(number === 1 ? stem : `${stem}${number}`);
        const wanted = Object.values(names);
        if (new Set(wanted).size < wanted.length || wanted.some((name) => used.has(name))) continue;
        for (const name of wanted) used.add(name);
        return names;
      }
    },
    all: () => [...used],
  };
}

/** A function name, with a trailing `_` if the word is reserved. */
export function functionName(name: string): string {
  return isBindingName(name) ? name : `${name}_`;
}

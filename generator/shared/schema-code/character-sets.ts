/** Characters of many kinds: all of ASCII, and one of each of the most usual other classes. */
const samples = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...Array.from("\u00a0éÉßµ²½İΩяЖ٣中あ한\u0301\u200d\u2028\ufeff€😀"),
];

/** One character for each combination of the classes in a pattern that has Unicode properties and several classes. */
function ofProperties(pattern: string): readonly string[] {
  const parts = new Set(pattern.match(/\\p\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]/gisu));
  const classes = [...parts].filter((part) => /^(?:\\p\{|\[)/i.test(part));
  if (classes.length < 2 || !classes.some((part) => /\\p\{/i.test(part))) return [];
  const tests = classes.map((part) => new RegExp(part, "u"));
  const found = new Map<string, string>();
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    const combination = tests.map((test) => Number(test.test(character))).join("");
    if (!found.has(combination)) found.set(combination, character);
  }
  return [...found.values()];
}

/** Which characters a regular expression of one character matches, tried with samples. */
export class CharacterSets {
  private readonly characters: readonly string[];
  private readonly known = new Map<string, readonly string[]>();

  /** @param pattern its own characters, and their neighbours, are tried too: they are the ends of its ranges */
  constructor(pattern: string) {
    const own = [...pattern.matchAll(/\\u\{([\da-f]+)\}|\\u([\da-f]{4})|\\x([\da-f]{2})|(.)/gisu)].flatMap(
      ([, long, short, byte, plain]) => {
        const code = plain === undefined ? Number.parseInt(long ?? short ?? byte ?? "0", 16) : plain.codePointAt(0);
        return [-1, 0, 1].map((step) => (code ?? 0) + step);
      },
    );
    const points = own.filter((code) => code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff));
    const neighbours = points.map((code) => String.fromCodePoint(code));
    this.characters = [...new Set([...samples, ...neighbours, ...ofProperties(pattern)])];
  }

  of(source: string): readonly string[] {
    const known = this.known.get(source);
    if (known) return known;
    const one = new RegExp(`^(?:${source})$`, "u");
    const found = this.characters.filter((character) => one.test(character));
    this.known.set(source, found);
    return found;
  }

  overlap(one: string, other: string): boolean {
    const found = new Set(this.of(one));
    return this.of(other).some((character) => found.has(character));
  }
}

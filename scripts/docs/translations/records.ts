/** The digests of a section in both languages when its translation was recorded. */
export interface SectionRecord {
  readonly en: string;
  readonly zh: string;
}

/** The records of all pages: by the path of the English page, then by the anchor of the section (empty for the first). */
export type TranslationRecords = Readonly<Record<string, Readonly<Record<string, SectionRecord>>>>;

/** The file that keeps the records, from the root of the repository. */
export const recordsFile = "docs/translations.json";

/** Reads records. Each section is one line, so that changes of several sections rarely conflict. */
export function parseRecords(text: string): TranslationRecords {
  const pages = JSON.parse(text) as Readonly<Record<string, Readonly<Record<string, string>>>>;
  return mapValues(pages, (sections) =>
    mapValues(sections, (pair) => {
      const [en = "", zh = ""] = pair.split(" ");
      return { en, zh };
    }),
  );
}

export function printRecords(records: TranslationRecords): string {
  const pages = Object.fromEntries(Object.entries(records).sort(([a], [b]) => (a < b ? -1 : 1)));
  const text = mapValues(pages, (sections) => mapValues(sections, ({ en, zh }) => `${en} ${zh}`));
  return `${JSON.stringify(text, null, 2)}\n`;
}

function mapValues<From, To>(object: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

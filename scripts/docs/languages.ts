/** Pages of `docs/` that programs write. They are in English only, may be long, and their text is not checked. */
const generated: readonly RegExp[] = [
  /^docs\/reference\/(?:api|errors|revisions)\//,
  /^docs\/reference\/(?:conformance|interoperability)\.md$/,
  /^docs\/gateway-matrix\.md$/,
];

/** The most lines that a hand-written page of `docs/` may have. */
export const maxLines = 250;

/** Whether a page belongs to `docs/`. The site fills `project/` with pages of other folders. */
export function isDocsPage(file: string): boolean {
  return /^docs\/(?!\.|project\/).*\.md$/.test(file);
}

/** Whether a page of `docs/` exists in English only, because a program writes it. */
export function isEnglishOnly(file: string): boolean {
  return generated.some((pattern) => pattern.test(file));
}

export function isChinese(file: string): boolean {
  return file.startsWith("docs/zh/");
}

/** The Chinese page of an English page. */
export function chineseOf(english: string): string {
  return english.replace(/^docs\//, "docs/zh/");
}

/** The English page of a Chinese page. */
export function englishOf(chinese: string): string {
  return chinese.replace(/^docs\/zh\//, "docs/");
}

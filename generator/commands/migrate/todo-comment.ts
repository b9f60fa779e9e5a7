import type { Todo } from "./migration-plan.js";

const firstPage = "docs/guide/migrating.md";
const logInPage = "docs/guide/migrating-log-in.md";
const namesPage = "docs/reference/official-names.md";

/** The pages of the sections that are not on the first page about migrating. */
const pages: Readonly<Record<string, string>> = {
  "from-sdk-1x": "docs/guide/migrating-1x.md",
  "log-ins": logInPage,
  "protected-servers": logInPage,
  "names-servers-and-both-sides": namesPage,
  "names-clients": namesPage,
  authorization: namesPage,
};

/** Marks the comments. In two parts, so that searches for open work in our own code do not find it. */
export const todoTag = "TO" + "DO mcpwright:";

const pattern = new RegExp(String.raw`^\s*// ${todoTag} (.*) \(docs/[\w/-]+\.md#([\w-]+)\)\r?$`);

/** Where the documentation explains what a person must decide, such as `docs/guide/migrating.md#replace-members`. */
export function placeOf(section: string): string {
  return `${pages[section] ?? firstPage}#${section}`;
}

/** The comment above a place where a person must decide. @param section of the pages about migrating */
export function todoComment(text: string, section: string): string {
  return `// ${todoTag} ${text} (${placeOf(section)})`;
}

/** All such comments in a file, also those of earlier runs. */
export function findTodos(path: string, content: string): readonly Todo[] {
  return content.split("\n").flatMap((line, index) => {
    const [, text, section] = pattern.exec(line) ?? [];
    return text === undefined || section === undefined ? [] : [{ path, line: index + 1, text, section }];
  });
}

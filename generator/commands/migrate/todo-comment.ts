import type { Todo } from "./migration-plan.js";

/** The page that explains where a person must decide, and why. */
export const page = "docs/guide/migrating.md";

/** Marks the comments. In two parts, so that searches for open work in our own code do not find it. */
export const todoTag = "TO" + "DO mcpwright:";

const pattern = new RegExp(String.raw`^\s*// ${todoTag} (.*) \(${page.replace(".", String.raw`\.`)}#([\w-]+)\)\r?$`);

/** The comment above a place where a person must decide. @param section of `page` */
export function todoComment(text: string, section: string): string {
  return `// ${todoTag} ${text} (${page}#${section})`;
}

/** All such comments in a file, also those of earlier runs. */
export function findTodos(path: string, content: string): readonly Todo[] {
  return content.split("\n").flatMap((line, index) => {
    const [, text, section] = pattern.exec(line) ?? [];
    return text === undefined || section === undefined ? [] : [{ path, line: index + 1, text, section }];
  });
}

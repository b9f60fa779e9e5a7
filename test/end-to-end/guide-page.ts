/** A page whose programs and commands a test runs as written. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { childCli, root, type Outcome } from "../cli/command-line.js";

export class GuidePage {
  readonly #text: string;

  /** @param path below `docs` @param text of the page. Default: that of the file */
  constructor(path: string, text = readFileSync(join(root, "docs", path), "utf8")) {
    this.#text = text;
  }

  /** The code blocks of a language, in the page's order. */
  blocks(language: string): readonly string[] {
    const found = [...this.#text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))];
    return found.map(([, code = ""]) => code);
  }

  /** The only block of a language that contains a text. */
  block(language: string, part: string): string {
    const found = this.blocks(language).filter((code) => code.includes(part));
    expect(found, `blocks with ${part}`).toHaveLength(1);
    return found[0] ?? "";
  }

  /** A file of the page: a block that begins with its path. */
  file(path: string): Record<string, string> {
    return { [path]: this.block(path.slice(path.lastIndexOf(".") + 1), `// ${path}\n`) };
  }

  /** The lines of its shell blocks. */
  get commands(): readonly string[] {
    return this.blocks("sh").flatMap((code) => code.split("\n").filter((line) => line !== ""));
  }
}

/** Runs a command of a page, `npx mcpwright …`, with the built command line. */
export function runMcpwright(command: string, folder: string): Promise<Outcome> {
  const [npx, mcpwright, ...args] = command.split(" ");
  expect([npx, mcpwright]).toEqual(["npx", "mcpwright"]);
  return childCli(args, { program: "bundle", cwd: folder });
}

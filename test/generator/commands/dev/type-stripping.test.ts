import { expect, test, vi } from "vitest";
import { project, serverFiles, textFile, tsconfig } from "./project.js";
import { callText, connected } from "./running.js";

const { compilerOptions } = JSON.parse(tsconfig) as { readonly compilerOptions: object };
const erasable = { ...compilerOptions, erasableSyntaxOnly: true, allowImportingTsExtensions: true, noEmit: true };
const main = serverFiles["src/main.ts"] ?? "";

/** The same server, written for the type stripping of Node: it has no enum, and imports name `.ts` files. */
const strippable = {
  "tsconfig.json": JSON.stringify({ compilerOptions: erasable }),
  "src/main.ts": main.replace(/enum Kind .*/, `const Kind = { Text: "text" } as const;`).replace("text.js", "text.ts"),
  "src/text.ts": textFile("first"),
};

const canStrip = Boolean((process.features as { readonly typescript?: unknown }).typescript);

test.runIf(canStrip)(
  "a project for type stripping runs with Node alone, and restarts",
  { timeout: 120_000 },
  async () => {
    const { folder, put } = project(strippable);
    const { client, lines, end, processes } = await connected({ entry: "src/main.ts", cwd: folder });
    expect(await callText(client)).toMatch(/^first \d+$/);
    expect(lines[0]).toContain("runs with the type stripping of Node");
    put({ "src/text.ts": textFile("second") });
    await vi.waitFor(async () => expect(await callText(client)).toContain("second"));
    expect(lines.filter((line) => line.includes("Warning"))).toEqual([]);
    await end();
    expect(processes()).toEqual([]);
  },
);

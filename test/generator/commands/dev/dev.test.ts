import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { clientSides } from "../../../../generated/client-sides.js";
import { callText, connected, running } from "./running.js";
import { project, serverFiles, textFile } from "./project.js";

describe.each([
  ["2024-11-05", 2],
  ["2025-11-25", 50],
  ["2026-07-28", 5],
])("a client of %s", { timeout: 240_000 }, (revision, saves) => {
  test(`calls the new code after each of ${saves} saves, and no process is left`, async ({ annotate }) => {
    const { folder, put } = project(serverFiles);
    const revisions = clientSides.filter((side) => side.revision === revision);
    const { client, end, events, processes } = await connected({ entry: "src/main.ts", cwd: folder }, revisions);
    const changed = vi.fn();
    client.onChanged("tools", changed);
    expect(await callText(client)).toMatch(/^first \d+$/);
    const pids = new Set<string>();
    const durations: number[] = [];
    for (let save = 1; save <= saves; save++) {
      const started = events.length;
      const savedAt = performance.now();
      put({ "src/text.ts": textFile(`save ${save}`) });
      await vi.waitFor(() => expect(events.slice(started).map(({ kind }) => kind)).toContain("server-ready"));
      const text = await callText(client);
      durations.push(performance.now() - savedAt);
      expect(text).toContain(`save ${save} `);
      pids.add(text.split(" ").at(-1) ?? "");
    }
    expect(pids.size).toBe(saves);
    await annotate(durationsText(durations));
    await vi.waitFor(() => expect(changed.mock.calls.length).toBeGreaterThanOrEqual(saves));
    expect(processes()).toHaveLength(1);
    await end();
    expect(processes()).toEqual([]);
  });
});

/** For reports only, `npx vitest run --reporter=verbose <this file>`: a test must not fail because a machine is slow. */
function durationsText(durations: readonly number[]): string {
  const sorted = durations.map(Math.round).sort((a, b) => a - b);
  return `from a save to the result of the new code: median ${sorted[sorted.length >> 1]} ms, longest ${sorted.at(-1)} ms`;
}

describe("an edit", { timeout: 180_000 }, () => {
  test("of the entry by an editor that replaces files, of a broken file, and of the entry that disappears", async () => {
    const { folder, put } = project(serverFiles);
    const { client, lines } = await connected({ entry: "src/main.ts", cwd: folder });
    const main = join(folder, "src/main.ts");
    await callText(client);
    const edited = (serverFiles["src/main.ts"] ?? "").replace(`text + " "`, `text + " edited "`);
    writeFileSync(`${main}.tmp`, edited);
    renameSync(`${main}.tmp`, main);
    await vi.waitFor(async () => expect(await callText(client)).toContain("first edited"));
    put({ "src/text.ts": "export const text = nothing;\n" });
    await vi.waitFor(() => expect(lines.join("\n")).toContain("The server exited with code 1"));
    await expect(client.callTool({ name: "text", arguments: {} })).rejects.toThrow("nothing is not defined");
    expect(lines.join("\n")).toMatch(/src\/text\.ts:1:21/);
    rmSync(main);
    await vi.waitFor(() => expect(lines.join("\n")).toContain("src/main.ts does not exist"));
    put({ "src/text.ts": textFile("back"), "src/main.ts": edited });
    await vi.waitFor(async () => expect(await callText(client)).toContain("back edited"));
  });

  test("with a type error runs all the same, and the error is shown", async () => {
    const { folder, put } = project(serverFiles);
    const { client, lines } = await connected({ entry: "src/main.ts", cwd: folder, types: true });
    await callText(client);
    put({ "src/text.ts": "export const text: number = 'wrong';\n" });
    await vi.waitFor(async () => expect(await callText(client)).toContain("wrong"));
    await vi.waitFor(() => expect(lines.join("\n")).toMatch(/src\/text\.ts\(1,14\): error TS2322/), 60_000);
    put({ "src/text.ts": textFile("right") });
    await vi.waitFor(() => expect(lines.at(-1)).toContain("no errors any more"), 60_000);
  });
});

test("an entry that cannot run fails before anything starts", async () => {
  const { folder } = project({});
  const { ended, events } = running({ entry: "src/main.ts", cwd: folder });
  await expect(ended).rejects.toThrow("error[dev-entry-not-found]");
  expect(events).toEqual([]);
});

/** On the disk, installing, changing and removing a server gives the same bytes as before, also when there was no file. */
import fc from "fast-check";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import type { Server } from "../../../../generator/commands/install/entry/make-entry.js";
import { hostFile } from "../../../../generator/commands/install/host-file.js";
import { applyPlan, planInstall } from "../../../../generator/commands/install/install.js";
import { InstallRecord } from "../../../../generator/commands/install/install-record.js";
import { hostIds, hosts } from "../../../../generator/shared/hosts/hosts.js";
import { emptyJsonTexts, jsonTexts, tomlTexts } from "./documents/document-texts.js";
import { homeWith } from "./home.js";

const first: Server = { kind: "command", command: "node", args: ["a b"], env: { A: "1" }, variables: ["B"] };
const second: Server = { kind: "url", url: "https://example.com/mcp" };

test.each(hostIds)("%s", async (host) => {
  const { machine } = homeWith();
  const path = hostFile(host, "user", machine);
  const record = new InstallRecord(machine);
  const { format, servers } = hosts[host];
  const texts = format === "toml" ? tomlTexts : fc.oneof({ weight: 5, arbitrary: jsonTexts(servers) }, emptyJsonTexts);
  const actions: string[] = [];
  const run = async (server: Server | undefined, name = "notes"): Promise<void> => {
    const plan = planInstall({ host, scope: "user", name, server, machine });
    actions.push(plan.action);
    await applyPlan(plan, { record });
  };
  mkdirSync(dirname(path), { recursive: true });
  await fc.assert(
    fc.asyncProperty(fc.option(texts, { nil: undefined }), fc.constantFrom("notes", "other"), async (text, last) => {
      actions.length = 0;
      if (text !== undefined) writeFileSync(path, text);
      for (const server of [first, second, undefined]) await run(server);
      expect(actions).toEqual(["add", "change", "remove"]);
      expect(existsSync(path) ? readFileSync(path, "utf8") : undefined).toBe(text);
      await run(first);
      await run(first, "other");
      for (const name of last === "other" ? ["notes", "other"] : ["other", "notes"]) await run(undefined, name);
      expect(existsSync(path) ? readFileSync(path, "utf8") : undefined).toBe(text);
      rmSync(path, { force: true });
    }),
    { numRuns: 15 },
  );
});

import { loadModel } from "../../pipeline/load-model.js";
import { knownRevisions } from "../../shared/sources/schema-folder.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";

/** `mcpwright revisions`. */
export function revisionsCommand({ out }: Context): Verb {
  return defineVerb<{ readonly json: boolean }>(
    {
      command: "revisions",
      describe: "List the revisions that mcpwright includes, oldest first",
      builder: (argv) =>
        argv
          .option("json", { describe: "Print as JSON", type: "boolean", default: false })
          .example("$0 revisions --json", "As JSON, for scripts"),
      handler: async ({ json }) => {
        const rows = await Promise.all(
          knownRevisions().map(async (revision) => {
            const { model } = await loadModel({ revision });
            const { definitions, requests, notifications, specification } = model;
            return {
              revision,
              definitions: definitions.length,
              requests: requests.length,
              notifications: notifications.length,
              specification,
            };
          }),
        );
        if (json) out.write(`${JSON.stringify(rows, null, 2)}\n`);
        else
          for (const row of rows)
            out.write(
              `${row.revision}  ${row.definitions} types, ${row.requests} requests, ${row.notifications} notifications  ${row.specification}\n`,
            );
      },
    },
    "List the known revisions",
  );
}

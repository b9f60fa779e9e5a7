import type { CommandModule } from "yargs";
import { loadModel } from "../load-model.js";
import { knownRevisions } from "../sources/schema-folder.js";
import type { Context } from "./run.js";

/** `mcpwright revisions`. */
export function revisionsCommand({ out }: Context): CommandModule<object, { readonly json: boolean }> {
  return {
    command: "revisions",
    describe: "List the revisions that come with mcpwright, oldest first",
    builder: (argv) =>
      argv
        .option("json", { describe: "Print as JSON", type: "boolean", default: false })
        .example("$0 revisions --json", "For a program"),
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
  };
}

import { loadModel } from "../../pipeline/load-model.js";
import { loadExtension } from "../../pipeline/read-extension.js";
import { knownExtensions } from "../../shared/sources/extension-folder.js";
import { knownRevisions } from "../../shared/sources/schema-folder.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context } from "../../shared/command/context.js";

/** `mcpwright revisions`. */
export function revisionsCommand({ out }: Context): Verb {
  return defineVerb<{ readonly json: boolean }>(
    {
      command: "revisions",
      describe: "List the revisions that mcpwright includes, oldest first, and the extensions",
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
        const extensions = await extensionRows();
        if (json) {
          out.write(`${JSON.stringify({ revisions: rows, extensions }, null, 2)}\n`);
          return;
        }
        for (const row of rows) out.write(`${row.revision}  ${counts(row)}  ${row.specification}\n`);
        for (const row of extensions)
          out.write(
            `${row.extension}  ${row.version}, over ${row.over.join(" and ")}: ${counts(row)}  ${row.specification}\n`,
          );
      },
    },
    "List the known revisions and extensions",
  );
}

async function extensionRows() {
  const known = await knownExtensions();
  return Promise.all(
    known.map(async ({ id, name, version }) => {
      const { model } = await loadExtension({ extension: id });
      const { definitions, requests, notifications, revisions, specification } = model;
      return {
        extension: id,
        name,
        version,
        over: revisions,
        definitions: definitions.length,
        requests: requests.length,
        notifications: notifications.length,
        specification,
      };
    }),
  );
}

function counts(row: {
  readonly definitions: number;
  readonly requests: number;
  readonly notifications: number;
}): string {
  return `${row.definitions} types, ${row.requests} requests, ${row.notifications} notifications`;
}

import { existsSync, type FSWatcher } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isUrl, schemaFolder } from "../../shared/sources/schema-folder.js";
import { runOnChange, watchFolder } from "../../shared/command/run-on-change.js";

/**
 * Runs `action` now and after every change of the schemas, and resolves on SIGINT or SIGTERM.
 * @param schema the user's own schema, watched with the overlay and functions beside it. Default: the included schema folder
 * @param imported the files that it imports; URLs are not watched
 */
export async function watchInputs(
  schema: string | undefined,
  imported: readonly string[],
  action: () => Promise<void>,
): Promise<void> {
  const folder = schema === undefined ? schemaFolder() : dirname(schema);
  const inputs = schema === undefined ? undefined : [basename(schema), "overlay.json", "conversions"];
  await runOnChange((changed) => {
    const functions = join(folder, "conversions");
    let others: FSWatcher | undefined;
    // The folder may be created later, or replaced.
    const follow = (): void => {
      others?.close();
      others = inputs && existsSync(functions) ? watchFolder(functions, false, changed) : undefined;
    };
    const watcher = watchFolder(folder, schema === undefined, (_event, name) => {
      if (name === "conversions" || name === null) follow();
      if (!inputs || name === null || inputs.includes(name)) changed();
    });
    follow();
    const files = imported.filter((location) => !isUrl(location));
    const importWatchers = files.map((file) =>
      watchFolder(dirname(file), false, (_event, name) => {
        if (name === null || name === basename(file)) changed();
      }),
    );
    return () => {
      for (const each of importWatchers) each.close();
      watcher.close();
      others?.close();
    };
  }, action);
}

import { Converter } from "typedoc";

/**
 * Leaves message types out of the reference. They are exported so that inferred types can be named, and are documented in the
 * generated code.
 * @param {import("typedoc").Application} app
 */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const entry of project.children ?? [])
      for (const reflection of [...(entry.children ?? [])])
        if (isMessage(project.getSymbolIdFromReflection(reflection)?.fileName ?? ""))
          project.removeReflection(reflection);
  });
}

/** @param {string} file */
function isMessage(file) {
  return /\/generated\/(dist\/)?\d{4}-|\/authoring\.ts$/.test(file);
}

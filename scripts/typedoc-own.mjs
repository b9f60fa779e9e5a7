import { Converter } from "typedoc";

/**
 * The messages' types are exported, so that what is inferred can be named; they are described where they are generated.
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

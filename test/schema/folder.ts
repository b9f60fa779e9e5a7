import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Pins } from "../../generator/shared/fidelity/pins.js";
import type { SourceModule } from "../../generator/shared/model/source.js";
import { effectiveOverlay, type EffectiveOverlay } from "../../generator/pipeline/overlay/effective-overlay.js";
import { readTypeScript } from "../../generator/pipeline/read/typescript.js";
import { knownRevisions, readOverlays, schemaFolder } from "../../generator/shared/sources/schema-folder.js";

export const revisions = knownRevisions();

export function schemaText(revision: string): string {
  return readFileSync(join(schemaFolder(), revision, "schema.ts"), "utf8");
}

const modules = new Map<string, SourceModule>();

export function schemaModule(revision: string): SourceModule {
  const known = modules.get(revision) ?? readTypeScript(schemaText(revision), `schema/${revision}/schema.ts`);
  modules.set(revision, known);
  return known;
}

export function readPins(): Pins {
  return JSON.parse(readFileSync(join(schemaFolder(), "pins.json"), "utf8")) as Pins;
}

export async function overlayOf(revision: string): Promise<EffectiveOverlay> {
  return effectiveOverlay(revision, await readOverlays());
}

import type { SourceModule } from "../../shared/model/source.js";
import type { EffectiveOverlay } from "../overlay/effective-overlay.js";
import type { DiagnosticCollector } from "./diagnostic-collector.js";
import { withNames } from "./declared-names.js";

/**
 * NAMES: renames declarations as the overlay specifies, so that no two exports of the generated code have the same
 * name.
 */
export function renameDeclarations(
  module: SourceModule,
  { names }: EffectiveOverlay,
  collector: DiagnosticCollector,
): SourceModule {
  const declared = new Set(module.declarations.map(({ name }) => name));
  const renamed = new Map<string, string>();
  for (const [name, entry] of names) {
    if (!declared.has(name)) continue;
    collector.use(entry);
    renamed.set(name, entry.value.name);
  }
  return renamed.size === 0 ? module : withNames(module, renamed);
}

/** Names of constants in `names.ts` that are not derived from their method, by method. */
export function readMethodNames(
  methods: ReadonlySet<string>,
  { names }: EffectiveOverlay,
  collector: DiagnosticCollector,
): { readonly methodNames?: Readonly<Record<string, string>> } {
  const found = [...names].filter(([method]) => methods.has(method));
  for (const [, entry] of found) collector.use(entry);
  return found.length === 0
    ? {}
    : { methodNames: Object.fromEntries(found.map(([method, { value }]) => [method, value.name])) };
}

/** A resource or content block with annotations, which say how to use it. */
export interface AnnotatedItem {
  readonly annotations?: {
    readonly audience?: readonly string[];
    readonly priority?: number;
    readonly lastModified?: string;
  };
}

/** The items that a host wants. */
export interface AnnotationFilter {
  /** For whom: items without an audience are for all. Default: all items. */
  readonly audience?: "user" | "assistant";
  /** The lowest priority, from 0 to 1. Items without a priority are kept. Default: 0. */
  readonly minPriority?: number;
}

/**
 * Returns the items for an audience, the most important ones first, and of equal ones those that changed last (MCP,
 * annotations). Items without a priority follow the others; otherwise the server's order is kept.
 * @example
 * ```ts
 * const { contents } = { contents: [{ text: "for all" }, { text: "for users", annotations: { audience: ["user"] } }] };
 * const shown = selectByAnnotations(contents, { audience: "user" });
 * ```
 */
export function selectByAnnotations<Item extends AnnotatedItem>(
  items: readonly Item[],
  { audience, minPriority = 0 }: AnnotationFilter = {},
): Item[] {
  const priority = ({ annotations }: Item): number => annotations?.priority ?? -1;
  const changed = ({ annotations }: Item): number => Date.parse(annotations?.lastModified ?? "") || -Infinity;
  return items
    .filter(({ annotations = {} }) => {
      const isForThem = !audience || !annotations.audience || annotations.audience.includes(audience);
      return isForThem && (annotations.priority ?? 1) >= minPriority;
    })
    .sort((a, b) => priority(b) - priority(a) || (changed(a) === changed(b) ? 0 : changed(b) > changed(a) ? 1 : -1));
}

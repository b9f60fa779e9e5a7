/** Copies the title of a tool to its annotations, where older revisions have it. */
export function titleAsAnnotation(annotations: unknown, tool: unknown): unknown {
  const { title } = tool as { readonly title?: unknown };
  if (typeof title !== "string" || (annotations as { readonly title?: unknown } | undefined)?.title !== undefined)
    return annotations;
  return { ...(annotations as object | undefined), title };
}

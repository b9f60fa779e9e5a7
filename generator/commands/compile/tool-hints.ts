/** The tags for tool hints, with the names of the hints in the protocol. */
export const toolHints: Readonly<Record<string, string>> = {
  readOnly: "readOnlyHint",
  destructive: "destructiveHint",
  idempotent: "idempotentHint",
  openWorld: "openWorldHint",
};

/** The requests that can run as tasks, by their feature and name. */
type TaskRequests = object;

/** @throws Error when requests of a method cannot run as tasks */
export function assertRequestsAsTasks(
  requests: TaskRequests | undefined,
  method: string,
  entity: "Client" | "Server",
): void {
  if (!requests) throw new Error(`${entity} does not support task creation (required for ${method})`);
  const [feature = "", name = ""] = method.split("/");
  const known = new Set(["tools/call", "sampling/createMessage", "elicitation/create"]);
  const ofFeature = (requests as Record<string, Record<string, unknown> | undefined>)[feature];
  if (known.has(method) && !ofFeature?.[name])
    throw new Error(`${entity} does not support task creation for ${method} (required for ${method})`);
}

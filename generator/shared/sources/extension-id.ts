/** `prefix/name`, as the specification requires of ids: labels with dots between them, a slash, and a name. */
export function isExtensionId(id: string): boolean {
  return /^[a-z]([a-z\d-]*[a-z\d])?(\.[a-z]([a-z\d-]*[a-z\d])?)*\/[a-z\d]([\w.-]*[a-z\d])?$/i.test(id);
}

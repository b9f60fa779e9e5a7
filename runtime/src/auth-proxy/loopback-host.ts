/** Whether the host of a URL is this machine, in one of the three spellings that clients use for redirect URIs (RFC 8252, section 7.3). */
export function isLoopbackHost(hostname: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

/** Adds the remedy to an error of Node's `listen`; keeps its `code`, and the error as `cause`. */
export function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const remedy = remedies[error.code ?? ""];
  if (remedy === undefined) return error;
  return Object.assign(new Error(`cannot listen on port ${port} of ${host}: ${remedy}`, { cause: error }), {
    code: error.code,
  });
}

const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use; stop the program that listens on it, or choose another port (0: any free port)",
  EACCES: "the port needs privileges; choose a port of 1024 or above",
  EADDRNOTAVAIL: "this machine does not have the address; use 0.0.0.0 for all its addresses",
  ENOTFOUND: "the host name is unknown; use an address of this machine",
};

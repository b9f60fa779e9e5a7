/** An empty project: the cost of the compiler's own libraries and Node's types. */
console.log("ok", process.version);

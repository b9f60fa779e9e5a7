/** What any project on Node pays for the compiler's own libraries. */
console.log("ok", process.version);

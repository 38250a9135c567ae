// Loaded before bylaw by its launcher: when the launcher is gone, even killed, bylaw ends as it would when told to.

/** Milliseconds for an orderly end; after that the end is at once, as when somebody asks twice. */
const patience = 3_000;

process.on("disconnect", () => {
  process.kill(process.pid, "SIGTERM");
  setTimeout(() => process.kill(process.pid, "SIGTERM"), patience).unref();
});

// To listen for the end of the launcher is no reason to go on.
process.channel?.unref();

// A program that runs until it is killed.
setInterval(() => {}, 60_000);

const answer = await fetch(`http://127.0.0.1:${process.env.ADMIN_PORT}/health/ready`).catch(() => null);
process.exit(answer?.ok ? 0 : 1);

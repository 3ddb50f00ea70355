package lottery.app;

/**
 * Mistakes that programmers make, each put on purpose into one class of the packaged jar. A trial that does not find
 * them proves nothing by being green.
 */
enum PlantedBug {
    /** An answer that was given is not found when its key comes again. */
    KEY_FORGOTTEN(
            "command-side",
            "lottery/raffle/RepeatedRequestAnswerer.java",
            "mayBeKnown ? answers.find(request.id()) : Optional.empty()",
            "Optional.empty()"),
    /** A unit of stock is taken, and not counted. */
    UNIT_NOT_COUNTED(
            "db",
            "lottery/store/commit/GroupCounterChanges.java",
            "columns.longs(takes, CounterChange::amount)",
            "columns.longs(takes, _ -> 0)"),
    /** A processor stores how far it is before it has handled the events. */
    POSITION_BEFORE_HANDLING(
            "db",
            "lottery/store/processing/SegmentWorker.java",
            "        processor.handle(\n                free,",
            """
                    parts.transactions()
                            .executeInTransaction(() -> parts.tokens().storeToken(batch.upTo(), name, segment.getSegmentId()));
                    processor.handle(
                            free,"""),
    /** A processor stores how far it is in another transaction, after it has handled the events. */
    POSITION_AFTER_HANDLING("db", "lottery/store/processing/SegmentWorker.java", """
                                together.values().forEach(parked -> parked.parkBehind(batch.events()));
                                parts.tokens().storeToken(batch.upTo(), name, segment.getSegmentId());
                            });
                    stored(batch.upTo());
            """, """
                                together.values().forEach(parked -> parked.parkBehind(batch.events()));
                            });
                    parts.transactions()
                            .executeInTransaction(() -> parts.tokens().storeToken(batch.upTo(), name, segment.getSegmentId()));
                    stored(batch.upTo());
            """),
    /** A commit that has failed is answered as if all were well. */
    FAILURE_IS_SUCCESS(
            "db",
            "lottery/store/commit/Committer.java",
            "group.forEach(unit -> unit.fail(e));",
            "group.forEach(unit -> unit.succeed(divergenceGuard.newest().position()));"),
    /** Commits do not wait for the disk. */
    NOT_DURABLE("db", "lottery/store/commit/LogWriter.java", "DurabilityStartCheck.warn(row.getString(3));", """
            try (var hasty = connection.createStatement()) {
                                hasty.execute("SET synchronous_commit = off");
                            }"""),
    /** A request that has waited is given up when the commit of its draw fails. */
    REQUEST_LOST(
            "saga",
            "lottery/saga/draw/DrawRequestConsumer.java",
            "throw failed.causeOrSelf();",
            "LOG.warn(\"A draw has failed\", failed);"),
    /** Requests that are drawn together are drawn in another order. */
    REQUESTS_REVERSED(
            "saga",
            "lottery/saga/draw/DrawRequestConsumer.java",
            "commands.sendAll(List.copyOf(left.values()));",
            "commands.sendAll(List.copyOf(left.values()).reversed());"),
    /** A ban holds only after a restart. */
    BAN_NOT_NOTICED(
            "command-side",
            "lottery/BannedUsers.java",
            "    public void forget() {\n        bans.forget(BanId.PREFIX);",
            "    public void forget() {"),
    /** A request is accepted although Kafka has not said that it is stored. */
    ACCEPTED_TOO_EARLY("messaging", "lottery/messaging/draw/KafkaDrawQueue.java", """
                        turnedAway.increment();
                        throw new RefusedException(
                                Refusal.ACCEPTANCE_UNKNOWN, request.orderId().text());
                    } catch (InterruptedException e) {
            """, """
                        return new RecordMetadata(
                                new org.apache.kafka.common.TopicPartition(KafkaTopics.DRAW_REQUESTS, 0), 0, 0, 0, 0, 0);
                    } catch (InterruptedException e) {
            """);

    private final String module;
    private final String source;
    private final String right;
    private final String wrong;

    PlantedBug(String module, String source, String right, String wrong) {
        this.module = module;
        this.source = source;
        this.right = right;
        this.wrong = wrong;
    }

    JarPatch patch() {
        return new JarPatch(module, source, right, wrong);
    }
}

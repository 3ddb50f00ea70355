package lottery.identity;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Stores the last code that was sent to each phone. A code is valid for two minutes and for five attempts. A phone gets
 * at most ten codes a day, which ends at midnight UTC. After twenty failed attempts without a success, the phone has to
 * wait until the next day. All phones together get a limited number of codes per minute and day, because each costs.
 */
final class PhoneCodeTable {

    private static final String PUT = """
            INSERT INTO identity_phone_code (phone, code, sent_at, day)
            VALUES (:phone, :code, now(), (now() AT TIME ZONE 'UTC')::date)
            ON CONFLICT (phone) DO UPDATE SET
              code = excluded.code,
              sent_at = excluded.sent_at,
              tries = 0,
              sends = CASE WHEN identity_phone_code.day >= excluded.day THEN identity_phone_code.sends + 1 ELSE 1 END,
              failures = CASE WHEN identity_phone_code.day >= excluded.day THEN identity_phone_code.failures ELSE 0 END,
              day = greatest(identity_phone_code.day, excluded.day)
            WHERE identity_phone_code.sent_at < now() - interval '1 minute'
              AND (identity_phone_code.day < excluded.day
                OR identity_phone_code.sends < 10 AND identity_phone_code.failures < 20)""";

    private static final String COUNT = """
            INSERT INTO identity_phone_total AS known (day, minute) VALUES
              ((now() AT TIME ZONE 'UTC')::date, date_trunc('minute', now()))
            ON CONFLICT (one) DO UPDATE SET
              of_day = CASE WHEN known.day >= excluded.day THEN known.of_day + 1 ELSE 1 END,
              of_minute = CASE WHEN known.minute >= excluded.minute THEN known.of_minute + 1 ELSE 1 END,
              day = greatest(known.day, excluded.day),
              minute = greatest(known.minute, excluded.minute)
            WHERE (known.day < excluded.day OR known.of_day < :perDay)
              AND (known.minute < excluded.minute OR known.of_minute < :perMinute)""";

    private static final String TRY = """
            UPDATE identity_phone_code SET tries = tries + 1, failures = failures + 1
            WHERE phone = :phone AND tries < 5 AND failures < 20 AND sent_at > now() - interval '2 minutes'""";

    private static final String TAKE = """
            UPDATE identity_phone_code SET code = NULL, failures = 0
            WHERE phone = :phone AND code = :code AND sent_at > now() - interval '2 minutes'""";

    private final JdbcClient database;
    private final int perMinute;
    private final int perDay;

    /** @param perMinute how many codes all phones together get, and {@code perDay} the same for a day */
    PhoneCodeTable(JdbcClient database, int perMinute, int perDay) {
        this.database = database;
        this.perMinute = perMinute;
        this.perDay = perDay;
    }

    /** Counts a code that is about to be sent. Returns false if all phones together have got too many. */
    boolean count() {
        return database.sql(COUNT)
                        .param("perMinute", perMinute)
                        .param("perDay", perDay)
                        .update()
                == 1;
    }

    /**
     * Stores a code that is about to be sent. Returns false if the phone has got a code within the last minute, or has
     * got too many codes today.
     */
    boolean put(String phone, String code) {
        database.sql("DELETE FROM identity_phone_code WHERE day < (now() AT TIME ZONE 'UTC')::date - 1")
                .update();
        return database.sql(PUT).param("phone", phone).param("code", code).update() == 1;
    }

    /** Uses up a code if it is right. A code can be used once. Each attempt is counted before the code is compared. */
    boolean take(String phone, String code) {
        return database.sql(TRY).param("phone", phone).update() == 1
                && database.sql(TAKE).param("phone", phone).param("code", code).update() == 1;
    }

    /** Deletes a code that could not be sent, so that another code can be sent at once. */
    void forget(String phone) {
        database.sql("UPDATE identity_phone_code SET code = NULL, sent_at = '-infinity', sends = sends - 1"
                        + " WHERE phone = :phone")
                .param("phone", phone)
                .update();
    }
}

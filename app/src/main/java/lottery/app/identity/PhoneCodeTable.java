package lottery.app.identity;

import org.springframework.jdbc.core.simple.JdbcClient;

/** Keeps the code that was sent to a phone last. A code lives for two minutes, and for five tries. */
final class PhoneCodeTable {

    private static final int TRIES_MAX = 5;

    private final JdbcClient database;

    PhoneCodeTable(JdbcClient database) {
        this.database = database;
    }

    /** Notes a code that is about to be sent; false: another one was sent within the last minute. */
    boolean put(String phone, String code) {
        database.sql("DELETE FROM identity_phone_code WHERE sent_at < now() - interval '1 hour'")
                .update();
        return database.sql("""
                        INSERT INTO identity_phone_code (phone, code, sent_at) VALUES (:phone, :code, now())
                        ON CONFLICT (phone) DO UPDATE SET code = excluded.code, sent_at = excluded.sent_at, tries = 0
                        WHERE identity_phone_code.sent_at < now() - interval '1 minute'""").param("phone", phone).param("code", code).update() == 1;
    }

    /** Takes a code away if it is right. A code is taken once; a wrong one is a try. */
    boolean take(String phone, String code) {
        int counted =
                database.sql("""
                        UPDATE identity_phone_code SET tries = tries + 1
                        WHERE phone = :phone AND tries < :max AND sent_at > now() - interval '2 minutes'""").param("phone", phone).param("max", TRIES_MAX).update();
        return counted == 1
                && database.sql("""
                        DELETE FROM identity_phone_code
                        WHERE phone = :phone AND code = :code AND tries <= :max
                          AND sent_at > now() - interval '2 minutes'""")
                                .param("phone", phone)
                                .param("code", code)
                                .param("max", TRIES_MAX)
                                .update()
                        == 1;
    }
}

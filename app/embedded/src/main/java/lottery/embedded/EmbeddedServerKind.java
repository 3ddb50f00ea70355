package lottery.embedded;

import java.util.Locale;

/** The servers that can be started inside the process. */
public enum EmbeddedServerKind {
    POSTGRES("PostgreSQL", "lottery.postgres.url", 15432),
    REDIS("Redis", "lottery.redis.url", 16379),
    KAFKA("Kafka", "lottery.kafka.servers", 19092);

    private final String title;
    private final String addressSetting;
    private final int portUsual;

    EmbeddedServerKind(String title, String addressSetting, int portUsual) {
        this.title = title;
        this.addressSetting = addressSetting;
        this.portUsual = portUsual;
    }

    /** Returns the name as its makers write it. */
    String title() {
        return title;
    }

    /** Returns the application's setting for the address. If it is set, there is a server already. */
    String addressSetting() {
        return addressSetting;
    }

    /** Returns the usual port. It differs from the default port of such servers, which a developer may already use. */
    int portUsual() {
        return portUsual;
    }

    /** Returns the word for the server in the names of settings and folders. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    String portSetting() {
        return "lottery.embedded." + word() + "-port";
    }
}

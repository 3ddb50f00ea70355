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

    /** Returns the product name in its official spelling. */
    String title() {
        return title;
    }

    /** Returns the application's setting for the address. If it is set, a server already exists. */
    String addressSetting() {
        return addressSetting;
    }

    /**
     * Returns the default port of this embedded server. It differs from the server's own default port, which may be in
     * use on a developer's machine.
     */
    int portUsual() {
        return portUsual;
    }

    /** Returns the server's name within the names of settings and folders. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    String portSetting() {
        return "lottery.embedded." + word() + "-port";
    }
}

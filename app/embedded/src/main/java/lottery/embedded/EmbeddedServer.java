package lottery.embedded;

import java.util.Locale;

/** The servers that can be started inside the process. */
public enum EmbeddedServer {
    POSTGRES("PostgreSQL", "lottery.postgres.url", 15432),
    REDIS("Redis", "lottery.redis.url", 16379),
    KAFKA("Kafka", "lottery.kafka.servers", 19092);

    private final String title;
    private final String addressSetting;
    private final int portUsual;

    EmbeddedServer(String title, String addressSetting, int portUsual) {
        this.title = title;
        this.addressSetting = addressSetting;
        this.portUsual = portUsual;
    }

    /** As its makers write it. */
    String title() {
        return title;
    }

    /** The application's setting; where it is set, there is a server already. */
    String addressSetting() {
        return addressSetting;
    }

    /** Apart from the port that a server of the same kind has by default, which a developer may well run beside. */
    int portUsual() {
        return portUsual;
    }

    /** The part of a setting's name and of a folder's path that stands for the server. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    String portSetting() {
        return "lottery.embedded." + word() + "-port";
    }
}

package lottery.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;
import java.util.zip.CRC32;

/**
 * The logical shard of a user: part of every id of theirs, so that all that belongs to a user can live in one database
 * when one is no longer enough. Stable for ever, and computed alike in any language: CRC-32 of the UTF-8 bytes, modulo
 * 64.
 */
public record Shard(int number) {

    public static final int COUNT = 64;

    public Shard {
        if (number < 0 || number >= COUNT) {
            throw new IllegalArgumentException("no shard " + number);
        }
    }

    public static Shard of(UserId user) {
        CRC32 hash = new CRC32();
        hash.update(user.value().getBytes(UTF_8));
        return new Shard((int) (hash.getValue() % COUNT));
    }

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits((byte) number);
    }
}

package lottery.view.wheel;

import java.util.AbstractList;
import java.util.HexFormat;
import java.util.List;
import lottery.api.award.Wheel;
import org.springframework.util.DigestUtils;

/** A wheel that was put into JSON already. Many users see the same one. */
final class Picture extends AbstractList<Wheel.Field> {

    private final List<Wheel.Field> fields;
    private final byte[] json;
    private final String tag;

    Picture(List<Wheel.Field> fields, byte[] json) {
        this.fields = List.copyOf(fields);
        this.json = json;
        this.tag = '"' + HexFormat.of().formatHex(DigestUtils.md5Digest(json)) + '"';
    }

    @Override
    public Wheel.Field get(int index) {
        return fields.get(index);
    }

    @Override
    public int size() {
        return fields.size();
    }

    byte[] json() {
        return json;
    }

    /** The ETag. */
    String tag() {
        return tag;
    }
}

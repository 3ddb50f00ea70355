package lottery.app;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.oas.models.media.Schema;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The schema of a record")
class RecordSchemaConverterTest {

    interface DrawForms {
        record Form(int count) {}

        enum State {
            MADE
        }

        record Made(DrawForms.State state) {}
    }

    interface RechargeForms {
        record Form(String number) {}

        enum State {
            WAITING
        }

        record Receipt(RechargeForms.State state) {}
    }

    record Both(DrawForms.Form draw, List<RechargeForms.Form> recharges) {}

    record Order(
            @NotBlank String number,
            @Nullable Integer count,
            @NotEmpty List<String> lines,
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal price,
            @JsonFormat(shape = JsonFormat.Shape.STRING) long position,
            double share) {}

    private static ModelConverters converters() {
        ModelConverters converters = new ModelConverters(true);
        converters.addConverter(new OpenApiConfiguration().recordSchemas());
        return converters;
    }

    @SuppressWarnings("rawtypes") // The library's own types.
    private static Schema<?> schema(ModelConverters converters, Type type, String name) {
        Map<String, Schema> read = converters.readAll(type);
        return requireNonNull(read.get(name));
    }

    @Test
    @DisplayName("A record cannot have the schema name of another one, wherever the other one is")
    void twoRecords() {
        ModelConverters converters = converters();
        converters.readAll(DrawForms.Form.class);
        assertThatIllegalStateException()
                .isThrownBy(() -> converters.readAll(RechargeForms.Form.class))
                .withMessageContaining("Form")
                .withMessageContaining(DrawForms.Form.class.getName())
                .withMessageContaining(RechargeForms.Form.class.getName());
    }

    @Test
    @DisplayName("A record cannot consist of two records with one schema name")
    void twoWithinOne() {
        assertThatIllegalStateException().isThrownBy(() -> converters().readAll(Both.class));
    }

    @Test
    @DisplayName("A record cannot contain an enum that has the schema name of another enum")
    void twoEnums() {
        ModelConverters converters = converters();
        converters.readAll(DrawForms.Made.class);
        assertThatIllegalStateException().isThrownBy(() -> converters.readAll(RechargeForms.Receipt.class));
    }

    @Test
    @DisplayName("A schema is the same as often as it is asked for")
    void twice() {
        ModelConverters converters = converters();
        Schema<?> first = schema(converters, Order.class, "Order");
        assertThat(schema(converters, Order.class, "Order")).isEqualTo(first);
    }

    @Test
    @DisplayName("A schema requires what cannot be null, and has numbers as text where the record says so")
    void components() {
        Schema<?> order = schema(converters(), Order.class, "Order");
        assertThat(order.getRequired()).containsExactly("lines", "number", "position", "price", "share");
        assertThat(property(order, "number").getMinLength()).isOne();
        assertThat(property(order, "lines").getMinItems()).isOne();
        assertThat(property(order, "price").getPattern()).isEqualTo("-?[0-9]+(\\.[0-9]+)?");
        assertThat(property(order, "position").getPattern()).isEqualTo("-?[0-9]+");
        assertThat(property(order, "share").getTypes()).containsExactly("number");
    }

    private static Schema<?> property(Schema<?> schema, String name) {
        return requireNonNull(schema.getProperties().get(name));
    }
}

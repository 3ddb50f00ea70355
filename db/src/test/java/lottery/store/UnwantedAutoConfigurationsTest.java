package lottery.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.axonframework.config.Configuration;
import org.axonframework.messaging.timeout.HandlerTimeoutHandlerEnhancerDefinition;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.jackson3.Jackson3Serializer;
import org.axonframework.updates.UpdateChecker;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ClassUtils;

@DisplayName("Without the unwanted parts of Axon's starter,")
@SpringBootTest(classes = TestStore.class)
@ResourceLock(TestStore.DATABASE)
class UnwantedAutoConfigurationsTest {

    private final ApplicationContext context;
    private final Configuration axon;

    @Autowired
    UnwantedAutoConfigurationsTest(ApplicationContext context, Configuration axon) {
        this.context = context;
        this.axon = axon;
    }

    @Test
    @DisplayName("no such part is in the context, and each of them still has the name that is looked for")
    void absent() {
        assertThat(UnwantedAutoConfigurations.UNWANTED)
                .allSatisfy(name -> assertThat(getClass()
                                .getResource("/" + ClassUtils.convertClassNameToResourcePath(name) + ".class"))
                        .as(name)
                        .isNotNull())
                .noneMatch(context::containsBean);
    }

    @Test
    @DisplayName("no time-out is put around handlers")
    void noTimeouts() {
        assertThat(context.getBeansOfType(HandlerTimeoutHandlerEnhancerDefinition.class))
                .isEmpty();
    }

    @Test
    @DisplayName("no update check is made")
    void noUpdateCheck() {
        assertThat(context.getBeansOfType(UpdateChecker.class)).isEmpty();
        assertThat(axon.getComponent(UpdateChecker.class)).isNull();
    }

    @Test
    @DisplayName("XStream serialises nothing")
    void noXStream() {
        assertThat(context.getBeansOfType(Serializer.class).values())
                .isNotEmpty()
                .allMatch(Jackson3Serializer.class::isInstance);
        assertThat(axon.serializer()).isInstanceOf(Jackson3Serializer.class);
        assertThat(axon.messageSerializer()).isInstanceOf(Jackson3Serializer.class);
        assertThat(axon.eventSerializer()).isInstanceOf(NamedEventSerializer.class);
    }
}

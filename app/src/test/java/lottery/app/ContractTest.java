package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import java.nio.file.Files;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springdoc.core.configuration.SpringDocConfiguration;
import org.springdoc.core.properties.SpringDocConfigProperties;
import org.springdoc.webmvc.core.configuration.SpringDocWebMvcConfiguration;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares the REST contract that is generated from the endpoints with the approved one. Other programs are written
 * against it, so a change is a decision: {@code -Dapprove=true} makes it.
 */
@DisplayName("The REST contract")
class ContractTest {

    private static final String GENERATED = "/generated";

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    @EnableWebMvc
    @EnableConfigurationProperties
    static class Mvc {}

    @Test
    @DisplayName("The REST contract is the one that was approved")
    void asApproved() {
        new WebApplicationContextRunner()
                .withPropertyValues(
                        "springdoc.api-docs.path=" + GENERATED,
                        "springdoc.api-docs.version=openapi_3_1",
                        "springdoc.paths-to-match=/api/**",
                        "springdoc.default-produces-media-type=application/json",
                        "springdoc.writer-with-order-by-keys=true")
                .withConfiguration(AutoConfigurations.of(
                        SpringDocConfiguration.class,
                        SpringDocConfigProperties.class,
                        SpringDocWebMvcConfiguration.class))
                .withUserConfiguration(Mvc.class, OpenApiConfiguration.class)
                .withInitializer(ContractTest::addEndpoints)
                .run(ContractTest::compare);
    }

    /** Adds a mock of each endpoint, because no operation is called. */
    private static void addEndpoints(ConfigurableApplicationContext context) {
        ClassPathScanningCandidateComponentProvider endpoints = new ClassPathScanningCandidateComponentProvider(false);
        endpoints.addIncludeFilter(new AnnotationTypeFilter(RestController.class));
        for (BeanDefinition endpoint : endpoints.findCandidateComponents(Production.ROOT)) {
            Class<?> type = ClassUtils.resolveClassName(String.valueOf(endpoint.getBeanClassName()), null);
            ((GenericApplicationContext) context).registerBeanDefinition(type.getName(), mocked(type));
        }
    }

    private static <T> RootBeanDefinition mocked(Class<T> type) {
        return new RootBeanDefinition(type, () -> mock(type));
    }

    private static void compare(WebApplicationContext context) throws Exception {
        String contract = MockMvcBuilders.webAppContextSetup(context)
                .build()
                .perform(get(GENERATED))
                .andReturn()
                .getResponse()
                .getContentAsString();
        // The address that was asked is no part of the contract.
        ObjectNode document = (ObjectNode) JSON.readTree(contract);
        document.remove("servers");
        String text = JSON.writeValueAsString(JSON.treeToValue(document, Object.class)) + "\n";
        if (Boolean.getBoolean("approve")) {
            Files.writeString(CommittedContract.FILE, text);
        }
        assertThat(text).isEqualTo(Files.readString(CommittedContract.FILE));
    }
}

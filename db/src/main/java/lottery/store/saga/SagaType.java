package lottery.store.saga;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.axonframework.config.Configuration;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.messaging.annotation.AnnotatedHandlerInspector;
import org.axonframework.messaging.annotation.HandlerDefinition;
import org.axonframework.messaging.annotation.MessageHandlerInterceptorMemberChain;
import org.axonframework.messaging.annotation.MessageHandlingMember;
import org.axonframework.messaging.annotation.ParameterResolverFactory;
import org.axonframework.modelling.saga.AnnotatedSaga;
import org.axonframework.modelling.saga.AssociationValue;
import org.axonframework.modelling.saga.SagaMethodMessageHandlingMember;
import org.axonframework.modelling.saga.metamodel.AnnotationSagaMetaModelFactory;
import org.axonframework.modelling.saga.metamodel.SagaModel;

/**
 * One type of saga, with Axon's model of its class.
 *
 * @param name the stable name
 * @param key the key of its one association, the same for each of its handlers
 */
record SagaType<T>(
        String name, Class<T> type, String key, SagaModel<T> model, MessageHandlerInterceptorMemberChain<T> around) {

    static <T> SagaType<T> of(String name, Class<T> type, Configuration axon) {
        ParameterResolverFactory parameters = axon.parameterResolverFactory();
        HandlerDefinition handlers = axon.handlerDefinition(type);
        AnnotationSagaMetaModelFactory models = new AnnotationSagaMetaModelFactory(parameters, handlers);
        String key = key(
                AnnotatedHandlerInspector.inspectType(type, parameters, handlers)
                        .getHandlers(type),
                type);
        SagaType<T> kind = new SagaType<>(name, type, key, models.modelOf(type), models.chainedInterceptor(type));
        if (kind.isDue() && !kind.model().hasHandlerMethod(new GenericEventMessage<>(Instant.EPOCH))) {
            throw new IllegalArgumentException(type.getName() + " may be due, and has no method to call then");
        }
        return kind;
    }

    private static <T> String key(Stream<? extends MessageHandlingMember<?>> handlers, Class<T> type) {
        Set<String> keys = handlers.filter(handler ->
                        handler.unwrap(SagaMethodMessageHandlingMember.class).isPresent())
                .map(SagaType::keyOf)
                .collect(Collectors.toSet());
        if (keys.size() != 1) {
            throw new IllegalArgumentException(
                    "%s finds its events by %s: a saga has one association".formatted(type.getName(), keys));
        }
        return keys.iterator().next();
    }

    private static String keyOf(MessageHandlingMember<?> handler) {
        return handler.<String>attribute("SagaEventHandler.keyName")
                .filter(name -> !name.isEmpty())
                .or(() -> handler.attribute("SagaEventHandler.associationProperty"))
                .orElseThrow();
    }

    boolean isDue() {
        return SagaWithDueTime.class.isAssignableFrom(type);
    }

    /** Returns the association values by which an event finds sagas of this type, as Axon resolves them. */
    Stream<String> associationsOf(EventMessage<?> event) {
        return model.findHandlerMethods(event).stream()
                .flatMap(handler -> handler.unwrap(SagaMethodMessageHandlingMember.class).stream())
                .flatMap(handler -> valueOf(handler, event).stream());
    }

    private static Optional<String> valueOf(SagaMethodMessageHandlingMember<?> handler, EventMessage<?> event) {
        return Optional.ofNullable(handler.getAssociationValue(event)).map(AssociationValue::getValue);
    }

    /** Creates the saga that Axon handles. It has a scope of its own, in which it may end itself. */
    AnnotatedSaga<T> saga(SagaRow row, T state) {
        AssociationValue association = new AssociationValue(key, row.sagaKey().association());
        return new AnnotatedSaga<>(row.sagaId(), Set.of(association), state, model, around);
    }
}

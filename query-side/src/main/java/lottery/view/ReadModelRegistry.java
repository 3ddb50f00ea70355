package lottery.view;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.axonframework.config.ProcessingGroup;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.stereotype.Component;

/** The registry of all read models of this side, by the names of their processing groups. */
@Component
public class ReadModelRegistry {

    private final ListableBeanFactory beans;

    ReadModelRegistry(ListableBeanFactory beans) {
        this.beans = beans;
    }

    public Set<String> names() {
        Set<String> names = new TreeSet<>();
        Stream.of(beans.getBeanNamesForAnnotation(ProcessingGroup.class))
                .map(beans::getType)
                .filter(type -> type != null && isOurs(type))
                .map(type -> AnnotationUtils.findAnnotation(type, ProcessingGroup.class))
                .forEach(group -> names.add(group == null ? "" : group.value()));
        names.remove("");
        return names;
    }

    /** Returns whether a class belongs to the query side. Other sides may run in the same process. */
    static boolean isOurs(Class<?> type) {
        String ours = ReadModelRegistry.class.getPackageName();
        return type.getPackageName().equals(ours) || type.getPackageName().startsWith(ours + ".");
    }
}

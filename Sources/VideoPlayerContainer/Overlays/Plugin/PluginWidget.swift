import Zoetrope

struct PluginWidget: View {
    var body: some View {
        WithService(PluginService.self) { service in
            ZStack(alignment: service.alignment) {
                // The stack is as large as the overlay, so that a view stays in its position while it disappears.
                Color.clear.allowsHitTesting(false)
                if let plugin = service.plugin { plugin.content().transition(plugin.transition) }
            }
        }
    }
}

import VideoPlayerContainer

/// Private services in two files may have the same name.
private class Namesake: Service { let file = "one" }

@MainActor func namesakeOne(in context: Context) -> (service: Service, file: String) {
    let service = context[Namesake.self]
    return (service, service.file)
}

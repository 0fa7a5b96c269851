"""What can be in an adapter's range: cameras, and strangers that nobody asked for."""

import asyncio

from air import Radio
from bumble import att, hci
from bumble.core import UUID, AdvertisingData
from bumble.device import Device
from bumble.gatt import Characteristic, CharacteristicValue, Descriptor, Service
from bumble.host import Host
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport.common import AsyncPipeSink

# Advertising intervals are in units of 0.625 ms for the controller, of 1 ms for Bumble's host.
ADVERTISING_MILLISECONDS = 100
CAMERA_MTU = 500

# Byte 2 of the manufacturer data: the model.
ACTION_5_PRO = 0x15

# On which request a link is cut, by the moment's name.
CUTS = {
    'mtu': {att.Opcode.ATT_EXCHANGE_MTU_REQUEST},
    'services': {att.Opcode.ATT_READ_BY_GROUP_TYPE_REQUEST},
    'characteristics': {
        att.Opcode.ATT_READ_BY_TYPE_REQUEST, att.Opcode.ATT_FIND_INFORMATION_REQUEST,
    },
    'subscribe': {att.Opcode.ATT_WRITE_REQUEST},
}

Can = Characteristic.Properties
May = Characteristic.Permissions


class PeripheralRadio(Radio):
    """A controller that tells its peripheral what it hears."""

    def __init__(self, peripheral, air, address):
        super().__init__(f'peripheral {peripheral.label}', air, address)
        self.peripheral = peripheral

    def on_advertisement(self, address, kind, data, response):
        self.peripheral.on_advertisement(address, kind, data)
        return False


class Peripheral:
    """An LE peripheral that advertises and may be connected to.

    It advertises while `mode` is "on", except on a link, and not while "asleep" or "off".
    """

    def __init__(self, label, air, log, address, name, manufacturer):
        self.label = label
        self.air = air
        self.log = log
        self.name = name
        self.manufacturer = manufacturer
        self.mode = 'off'
        self.link = None
        self.radio = PeripheralRadio(self, air, address)
        self.device = Device(
            name=name, address=address, host=Host(self.radio, AsyncPipeSink(self.radio))
        )
        self.device.on('connection', self.on_connection)

    @property
    def address(self):
        """The address from which it advertises."""
        beacon = self.radio.le_legacy_advertiser
        return beacon.address

    async def start(self):
        await self.device.power_on()

    async def set_mode(self, mode):
        self.mode = mode
        if mode == 'on':
            if not self.link:
                await self.advertise()
        else:
            await self.device.stop_advertising()

    def fields(self):
        """What stands in the advertisement, and what in the scan response."""
        fields = [(AdvertisingData.FLAGS, b'\x06')]
        if self.manufacturer:
            fields.append((AdvertisingData.MANUFACTURER_SPECIFIC_DATA, self.manufacturer))
        return fields, [(AdvertisingData.COMPLETE_LOCAL_NAME, self.name.encode())]

    async def advertise(self):
        data, response = (bytes(AdvertisingData(fields)) for fields in self.fields())
        own = hci.OwnAddressType.PUBLIC if self.is_public else hci.OwnAddressType.RANDOM
        await self.device.start_advertising(
            own_address_type=own,
            advertising_interval_min=ADVERTISING_MILLISECONDS,
            advertising_interval_max=ADVERTISING_MILLISECONDS,
            advertising_data=data,
            scan_response_data=response,
        )

    @property
    def is_public(self):
        return self.radio.public_address.address_type == hci.Address.PUBLIC_DEVICE_ADDRESS

    def on_connection(self, connection):
        self.link = connection
        self.log(self.label, f'connected/{connection.peer_address}')
        connection.on('disconnection', self.on_disconnection)

    def on_disconnection(self, reason):
        self.link = None
        self.log(self.label, f'disconnected/0x{reason:02x}')
        if self.mode == 'on':
            asyncio.get_running_loop().create_task(self.advertise())

    def on_advertisement(self, address, kind, data):
        pass


class Consent(PairingDelegate):
    """Whether a camera takes part when a host wants to pair with it by SMP."""

    def __init__(self, camera):
        super().__init__()
        self.camera = camera

    async def accept(self):
        self.camera.log(self.camera.label, 'pairing', bytes([self.camera.pairs]))
        return self.camera.pairs


class Camera(Peripheral):
    """A DJI camera's radio; what it does and answers is decided by the simulator."""

    def __init__(self, index, air, log, address, name, manufacturer):
        public = hci.Address(address, hci.Address.PUBLIC_DEVICE_ADDRESS)
        super().__init__(str(index), air, log, public, name, manufacturer)
        self.index = index
        self.simulator = None
        self.cut = ''
        self.cuts_left = 0
        self.pairs = True
        self.device.pairing_config_factory = lambda _: PairingConfig(
            sc=True, mitm=False, bonding=True, delegate=Consent(self)
        )
        self.serve()

    def serve(self):
        server = self.device.gatt_server
        server.max_mtu = CAMERA_MTU
        self.outgoing = Characteristic(
            UUID.from_16_bits(0xFFF4), Can.READ | Can.NOTIFY, May.READABLE, b''
        )
        self.incoming = Characteristic(
            UUID.from_16_bits(0xFFF5),
            Can.READ | Can.WRITE | Can.WRITE_WITHOUT_RESPONSE,
            May.READABLE | May.WRITEABLE,
            CharacteristicValue(read=lambda _: b'', write=self.on_write),
        )
        self.device.add_service(
            Service(UUID.from_16_bits(0xFFF0), [self.outgoing, self.incoming])
        )
        if self.has_remote_control:
            self.device.add_services([battery_service(), keyboard_service()])
        self.outgoing.on('subscription', self.on_subscription)
        # Every request to the camera comes by here.
        answer = server.on_gatt_pdu
        server.on_gatt_pdu = lambda bearer, pdu: self.cuts(pdu) or answer(bearer, pdu)

    @property
    def has_remote_control(self):
        """The Action 5 Pro has Battery and HID services beside DJI's."""
        return self.manufacturer[2] == ACTION_5_PRO

    def fields(self):
        data, response = super().fields()
        services = [0xFFF0, 0x180F, 0x1812] if self.has_remote_control else [0xFFF0]
        listed = b''.join(service.to_bytes(2, 'little') for service in services)
        data.append((AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, listed))
        return data, response

    def set_cut(self, moment, count):
        if moment not in CUTS:
            raise ValueError(moment)
        self.cut, self.cuts_left = moment, count

    def cuts(self, pdu):
        """Lose the link instead of answering, where that was asked for."""
        if not self.cuts_left or pdu.op_code not in CUTS[self.cut]:
            return False
        self.cuts_left -= 1
        self.log(self.label, f'cut/{self.cut}')
        self.air.lose(self.radio)
        return True

    def on_connection(self, connection):
        super().on_connection(connection)
        connection.on('connection_att_mtu_update', self.on_mtu)
        self.simulator.tell(f'connected {self.index}')

    def on_mtu(self):
        self.log(self.label, f'mtu/{self.link.att_mtu}')
        self.simulator.tell(f'mtu {self.index} {self.link.att_mtu}')

    def on_disconnection(self, reason):
        super().on_disconnection(reason)
        self.simulator.tell(f'disconnected {self.index}')

    def on_subscription(self, connection, notify, indicate):
        word = 'subscribed' if notify else 'unsubscribed'
        self.log(self.label, word)
        self.simulator.tell(f'{word} {self.index}')

    def on_write(self, connection, value):
        self.log(self.label, 'write', value)
        self.simulator.tell(f'write {self.index} {value.hex().upper()}')

    async def notify(self, value):
        if self.link:
            self.log(self.label, 'notify', value)
            await self.device.gatt_server.notify_subscriber(self.link, self.outgoing, value)

    async def drop(self):
        if self.link:
            await self.link.disconnect()

    def on_advertisement(self, address, kind, data):
        if self.mode == 'asleep' and (b'\xffWKP' + bytes(self.radio.public_address)) in data:
            self.log(self.label, f'wake/{kind.name}/{address}', data)
            self.simulator.tell(f'wake {self.index}')


class Stranger(Peripheral):
    """Something in range that is none of the daemon's business."""

    def __init__(self, index, air, log, address, name, manufacturer, has_camera_service):
        kind = hci.Address.PUBLIC_DEVICE_ADDRESS
        if not name.startswith('Osmo'):
            kind = hci.Address.RANDOM_DEVICE_ADDRESS
        super().__init__(f's{index}', air, log, hci.Address(address, kind), name, manufacturer)
        if has_camera_service:
            self.device.add_service(
                Service(
                    UUID.from_16_bits(0xFFF0),
                    [
                        Characteristic(
                            UUID.from_16_bits(0xFFF4), Can.READ | Can.NOTIFY, May.READABLE, b''
                        ),
                        Characteristic(
                            UUID.from_16_bits(0xFFF5), Can.WRITE_WITHOUT_RESPONSE,
                            May.WRITEABLE, b'',
                        ),
                    ],
                )
            )


def battery_service():
    level = Characteristic(
        UUID.from_16_bits(0x2A19), Can.READ | Can.NOTIFY, May.READABLE, bytes([87])
    )
    return Service(UUID.from_16_bits(0x180F), [level])


# Consumer control, report 1: one bit for "volume up", which is what a shutter remote sends.
REPORT_MAP = bytes.fromhex(
    '050c 0901 a101 8501 1500 2501 7501 9501 09e9 8102 9507 8103 c0'.replace(' ', '')
)


def keyboard_service():
    """HID over GATT, as far as a host looks at it."""

    def make(uuid, value, can=Can.READ, descriptors=()):
        may = May.READABLE | May.WRITEABLE
        return Characteristic(UUID.from_16_bits(uuid), can, may, value, list(descriptors))

    reference = Descriptor(UUID.from_16_bits(0x2908), May.READABLE, bytes([1, 1]))
    return Service(
        UUID.from_16_bits(0x1812),
        [
            make(0x2A4A, bytes.fromhex('11010002')),
            make(0x2A4B, REPORT_MAP),
            make(0x2A4C, b'\x00', Can.WRITE_WITHOUT_RESPONSE),
            make(0x2A4D, b'\x00', Can.READ | Can.NOTIFY, [reference]),
        ],
    )
